/** What a host can be refused, each with a code to branch on and a message for the person who acts. */
import type { ApprovalRequest } from './approvals.ts'
import type { SkillRef } from './ref.ts'

export type SkillHostErrorCode =
  | 'ambiguous-name'
  | 'approval-required'
  | 'changed'
  | 'cross-server'
  | 'dependencies-refused'
  | 'dynamic-refused'
  | 'invalid-label'
  | 'not-loaded'
  | 'over-limit'
  | 'unknown-server'
  | 'unknown-skill'

/** Something that a `SkillHost` does not do. Failed checks of bytes are `SkillVerificationError`s instead. */
export class SkillHostError extends Error {
  override readonly name: string = 'SkillHostError'
  readonly code: SkillHostErrorCode

  constructor(code: SkillHostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The user has to approve the skill first, and there is nobody to ask, or the answer was no. */
export class ApprovalRequiredError extends SkillHostError {
  override readonly name = 'ApprovalRequiredError'
  readonly request: ApprovalRequest

  constructor(request: ApprovalRequest) {
    const { skill, reason } = request
    super(
      'approval-required',
      `The skill ${skill.uri} of the server "${skill.server}" needs the user's approval: ${WHY[reason]}.`,
    )
    this.request = request
  }
}

const WHY: Record<ApprovalRequest['reason'], string> = {
  policy: 'this host approves every skill before it is loaded',
  nested: 'it is nested in another skill, whose approval does not cover it',
  changed: 'its files have changed since they were approved',
  dependencies: 'it asks for other servers to be connected',
}

/** A skill asked for servers that the host did not connect. */
export class DependenciesRefusedError extends SkillHostError {
  override readonly name = 'DependenciesRefusedError'
  readonly skill: SkillRef
  /** The labels that are not connected. */
  readonly servers: readonly string[]

  constructor(skill: SkillRef, servers: readonly string[], options?: ErrorOptions) {
    super(
      'dependencies-refused',
      `The skill ${skill.uri} of the server "${skill.server}" needs servers that are not connected: ${servers.join(', ')}.`,
      options,
    )
    this.skill = skill
    this.servers = servers
  }
}

/** The server serves other files now than the host holds an entry for. */
export class SkillChangedError extends SkillHostError {
  override readonly name = 'SkillChangedError'
  readonly skill: SkillRef

  constructor(skill: SkillRef, options?: ErrorOptions) {
    super(
      'changed',
      `The skill ${skill.uri} of the server "${skill.server}" has changed since it was loaded. Load it again; an approval has to be given again.`,
      options,
    )
    this.skill = skill
  }
}
