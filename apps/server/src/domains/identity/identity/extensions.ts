import type {
  DueStep,
  LoginProvider,
  SignInStep,
  TicketAnswer,
} from '@atrium/contract/identity/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'
import type { Platform } from '#platform/platform.ts'
import type { Settings } from '#platform/settings/settings.ts'

export type PasswordAnswer =
  | 'right'
  | 'refused'
  | 'expired'
  | 'must_change'
  | 'disabled'
  | 'locked'
  | 'unavailable'

/** An external system that verifies members' passwords. */
export type PasswordSource = {
  /**
   * Checks a password; undefined if the source is not configured. `decides`: this account's password is managed there.
   * Also called for names without an account, so that response times reveal nothing.
   */
  check: (
    platform: Platform,
    account: { id: string; personId: string } | undefined,
    name: string,
    password: string,
  ) => Promise<{ decides: boolean; answer: PasswordAnswer } | undefined>
  /** Whether the password of this person is managed there. */
  managesPasswordOf: (db: Db, personId: string) => Promise<boolean>
}
export const passwordSources = extension<PasswordSource>()

/** A step between the proof and the session, provided by another area. */
export type StepProvider = {
  /** The step due for this person and identity type. `strong`: the proof already counts as two factors. */
  due: (
    db: Db,
    settings: Settings,
    who: { personId: string; identityTypeCode: string; strong: boolean },
  ) => Promise<DueStep | undefined>
  /** Data the client needs for one of this provider's steps. */
  describe: (db: Db, personId: string, due: DueStep) => Promise<Partial<SignInStep>>
}
export const signInSteps = extension<StepProvider>()

/** Called in the transaction that ends or moves sessions. */
export type SessionListener = {
  ended: (db: Db, sessionIds: readonly string[]) => Promise<unknown>
  /** The sessions of one sign-in continue under a new central session. */
  moved: (db: Db, from: string, to: string) => Promise<unknown>
}
export const sessionListeners = extension<SessionListener>()

/** Sign-ins in progress that another area stores. `cancel` is called in the transaction that cancels the others. */
export type PendingSignIns = { cancel: (db: Db, personId: string) => Promise<unknown> }
export const pendingSignIns = extension<PendingSignIns>()

/** External identity providers. */
export type ExternalLogins = {
  list: (db: Db) => Promise<LoginProvider[]>
  /** Address of the external login that replaces the central login, if one is configured. */
  centralLogin: (db: Db, settings: Settings) => Promise<string>
  /** Whether a ticket received at the return route was issued by an external system. */
  isTicket: (ticket: string) => boolean
  redeem: (
    platform: Platform,
    request: FastifyRequest,
    reply: FastifyReply,
    body: { ticket: string; service: string },
  ) => Promise<TicketAnswer>
  /** Called when an external sign-in is complete, including all due steps. */
  completed: (
    db: Db,
    request: FastifyRequest,
    login: { loginId: string; personId: string },
  ) => Promise<unknown>
  /**
   * The external logout address, which redirects back to `returnTo`; undefined if no external session has to be ended.
   */
  logoutAddress: (
    platform: Platform,
    sessionId: string,
    returnTo: string,
  ) => Promise<string | undefined>
}
export const externalLogins = extension<ExternalLogins>()
