/** Decides whether a skill may be loaded, and asks the user where it may not. */
import type { Skill } from '@embed-skills/runtime'
import type { ApprovalKey, ApprovalRequest, ApprovalState, ApprovalStore } from './approvals.ts'
import type { ResolvedOptions } from './options.ts'
import type { SkillServer } from './server.ts'
import {
  allowedToolsOf,
  approvalOf,
  approvalState,
  dependenciesOf,
  digestsOf,
  memoryApprovals,
} from './approvals.ts'
import { ApprovalRequiredError } from './errors.ts'
import { sortedJson } from './json.ts'
import { canonical } from './ref.ts'
import { inTurn } from './turns.ts'

/** What a user is shown of a skill. */
type Shown = Pick<Skill, 'uri' | 'frontmatter' | 'resources'>

export class Approver {
  readonly #options: ResolvedOptions
  /** Approvals of what must not be stored: dynamic skills, and connections without an identity. */
  readonly #passing = memoryApprovals()
  /** Questions that the user is looking at, by what they are about. */
  readonly #asking = new Map<string, Promise<boolean>>()

  constructor(options: ResolvedOptions) {
    this.#options = options
  }

  /** Looking at other files, or other frontmatter, than what was approved revokes the approval. */
  async state(server: SkillServer, skill: Shown): Promise<ApprovalState> {
    const [store, key] = this.#place(server, skill)
    const state = await look(store, key, skill)
    const { identity } = server
    if (state.state !== 'none' || store !== this.#passing || identity === undefined) return state
    // A skill that is dynamic by now may have been approved when it was not.
    return look(this.#options.approvals, { ...key, identity }, skill)
  }

  async approve(server: SkillServer, skill: Shown, allowedTools: boolean): Promise<void> {
    const [store, key] = this.#place(server, skill)
    const approval = await approvalOf(skill, allowedTools)
    await inTurn(turnOf(key), async () => store.set(key, approval))
  }

  /** Whatever of the skill was approved, whether or not its server still has it, and as what. */
  async revoke({ label: server, identity, session }: SkillServer, given: string): Promise<void> {
    const uri = canonical(given)
    await this.#passing.delete({ server, identity: session, uri })
    if (identity !== undefined) await this.#options.approvals.delete({ server, identity, uri })
  }

  /** Called when a skill is unloaded: the next content of a dynamic one is other content. */
  async endOf(server: SkillServer, skill: Pick<Skill, 'uri' | 'resources'>): Promise<void> {
    if (skill.resources !== 'dynamic') return
    const [store, key] = this.#place(server, skill)
    await store.delete(key)
  }

  /**
   * Gives whether the skill is approved; it is asked for only where the skill must be.
   *
   * @throws ApprovalRequiredError
   */
  async ensure(server: SkillServer, skill: Skill): Promise<boolean> {
    const state = await this.state(server, skill)
    if (state.state === 'approved') return true
    const described = server.describe(skill)
    const dependencies = dependenciesOf(skill.frontmatter)
    const reason =
      state.state === 'changed'
        ? 'changed'
        : described.nested
          ? 'nested'
          : dependencies.length
            ? 'dependencies'
            : this.#options.requireApproval
              ? 'policy'
              : undefined
    if (!reason) return false

    const request: ApprovalRequest = {
      skill: described,
      reason,
      ...(state.state === 'changed' && { changes: state.changes }),
      allowedTools: allowedToolsOf(skill.frontmatter),
      dependencies,
    }
    if (!(await this.#ask(server, skill, request))) throw new ApprovalRequiredError(request)
    return true
  }

  /** Asks once for all who load the same skill meanwhile. */
  #ask(server: SkillServer, skill: Skill, request: ApprovalRequest): Promise<boolean> {
    const key = sortedJson([server.session, canonical(skill.uri), digestsOf(skill), skill.frontmatter])
    const asking = this.#asking.get(key) ?? this.#answer(server, skill, request)
    this.#asking.set(key, asking)
    const done = (): void => void this.#asking.delete(key)
    asking.then(done, done)
    return asking
  }

  async #answer(server: SkillServer, skill: Skill, request: ApprovalRequest): Promise<boolean> {
    const answer = await this.#options.onApprovalRequired?.(request)
    if (!answer) return false
    await this.approve(server, skill, answer === true ? false : answer.allowedTools)
    return true
  }

  #place(
    { label, identity, session }: SkillServer,
    { uri, resources }: Pick<Skill, 'uri' | 'resources'>,
  ): [ApprovalStore, ApprovalKey] {
    const lasting = identity !== undefined && resources !== 'dynamic'
    const store = lasting ? this.#options.approvals : this.#passing
    return [store, { server: label, identity: lasting ? identity : session, uri: canonical(uri) }]
  }
}

/** Nothing comes between looking and revoking: what the user approves meanwhile must not be written over. */
function look(store: ApprovalStore, key: ApprovalKey, skill: Shown): Promise<ApprovalState> {
  return inTurn(turnOf(key), async () => {
    const approval = await store.get(key)
    const state = await approvalState(approval, skill)
    if (state.state === 'changed' && !approval!.revoked) await store.set(key, { ...approval!, revoked: true })
    return state
  })
}

function turnOf({ server, identity, uri }: ApprovalKey): string {
  return JSON.stringify(['approval', server, identity, uri])
}
