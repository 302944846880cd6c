/**
 * Types of the modules that the plugin makes. Name it once, in `tsconfig.json`
 * (`"types": ["unplugin-embed-skills/client"]`) or at the top of a file
 * (`/// <reference types="unplugin-embed-skills/client" />`).
 */
declare module 'virtual:skills' {
  const skills: import('@embed-skills/runtime').CompiledSkills
  export default skills
}

declare module 'virtual:skills/*' {
  const skills: import('@embed-skills/runtime').CompiledSkills
  export default skills
}
