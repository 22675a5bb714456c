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

/** Another system that knows members' passwords. */
export type PasswordSource = {
  /**
   * What it says to a password; undefined where it is asked for nobody. `decides`: this account's password is kept there. A name
   * without an account is asked for as well, so that the time of an answer tells nothing.
   */
  check: (
    platform: Platform,
    account: { id: string; personId: string } | undefined,
    name: string,
    password: string,
  ) => Promise<{ decides: boolean; answer: PasswordAnswer } | undefined>
  /** Whether it keeps the password of this person. */
  keepsPasswordOf: (db: Db, personId: string) => Promise<boolean>
}
export const passwordSources = extension<PasswordSource>()

/** A step before a session opens that another area decides on. */
export type StepProvider = {
  /** The step that is due for this person and identity type; `strong`: what they have shown counts as two factors. */
  due: (
    db: Db,
    settings: Settings,
    who: { personId: string; identityTypeCode: string; strong: boolean },
  ) => Promise<DueStep | undefined>
  /** What the client needs for a step of its own. */
  describe: (db: Db, personId: string, due: DueStep) => Promise<Partial<SignInStep>>
}
export const signInSteps = extension<StepProvider>()

/** Hears of sessions in the transaction that changes them. */
export type SessionListener = {
  ended: (db: Db, sessionIds: readonly string[]) => Promise<unknown>
  /** What was signed in together goes on under a new session. */
  moved: (db: Db, from: string, to: string) => Promise<unknown>
}
export const sessionListeners = extension<SessionListener>()

/** Logins of other systems. */
export type ExternalLogins = {
  list: (db: Db) => Promise<LoginProvider[]>
  /** Where people are sent to sign in, where one of them stands for the central login. */
  centralLogin: (db: Db, settings: Settings) => Promise<string>
  /** Whether a ticket that came to the return route is of another system. */
  isTicket: (ticket: string) => boolean
  redeem: (
    platform: Platform,
    request: FastifyRequest,
    reply: FastifyReply,
    body: { ticket: string; service: string },
  ) => Promise<TicketAnswer>
  /** A sign-in by one of them is through, with all that was due. */
  completed: (
    db: Db,
    request: FastifyRequest,
    login: { loginId: string; personId: string },
  ) => Promise<unknown>
  /** Where a session ends that somebody has there, and comes back from; nothing where nothing is to end there. */
  logoutAddress: (
    platform: Platform,
    sessionId: string,
    returnTo: string,
  ) => Promise<string | undefined>
}
export const externalLogins = extension<ExternalLogins>()
