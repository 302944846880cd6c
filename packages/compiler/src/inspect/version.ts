declare const __RULE_SET__: string | undefined

/**
 * Changes whenever the rules, or what they stand on, change: the build puts a hash of the sources here. Run from
 * the sources themselves, nothing that was kept is worth anything.
 */
export const RULE_SET: string = typeof __RULE_SET__ === 'string' ? __RULE_SET__ : `unbuilt ${Date.now()}`
