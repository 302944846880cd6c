/**
 * Types of the modules that the plugin makes. Name it once, in `tsconfig.json`
 * (`"types": ["unplugin-embed-skills/client"]`) or at the top of a file
 * (`/// <reference types="unplugin-embed-skills/client" />`). The names, paths and frontmatter of a
 * project's own skills are in the `embed-skills.d.ts` that the plugin writes.
 */
declare module 'virtual:skills' {
  const skills: import('@embed-skills/runtime').CompiledSkills<
    import('@embed-skills/runtime').Registered<'virtual:skills'>
  >
  export default skills
}

declare module 'virtual:skills/*' {
  const skills: import('@embed-skills/runtime').CompiledSkills
  export default skills
}

declare module '*?skill' {
  const skills: import('@embed-skills/runtime').CompiledSkills
  export default skills
}
