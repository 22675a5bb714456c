import {
  listedQuestions,
  type Need,
  questionCount,
  type SecurityChange,
} from '@atrium/contract/identity/account'
import type { IssueKind } from '#platform/http/errors.ts'

/** What a session has shown beyond its confirmation. */
export type ProofKind = 'mobile' | 'email' | 'questions'

export type Standing = {
  confirmed: boolean
  proofs: readonly ProofKind[]
  /** there is a contact that a code can be sent to */
  hasContact: boolean
  /** the institution asks for security questions, and the person has some */
  hasQuestions: boolean
}

/**
 * What has to be shown before a change, in the order it is asked for. Security questions come on top of a confirmation and
 * never take the place of one; only for changing the questions themselves, knowing the old answers is as good as a contact.
 */
export function needsOf(change: SecurityChange, standing: Standing): Need[] {
  const { confirmed, proofs, hasContact, hasQuestions } = standing
  const byContact = proofs.includes('mobile') || proofs.includes('email')
  const byQuestions = proofs.includes('questions')
  const needs: Need[] = confirmed ? [] : ['confirm']
  if (change === 'questions') {
    if (byContact || byQuestions) return needs
    if (hasQuestions) return [...needs, 'questions']
    return hasContact ? [...needs, 'contact'] : needs
  }
  if (hasQuestions && !byQuestions) needs.push('questions')
  if (change !== 'password' && hasContact && !byContact) needs.push('contact')
  return needs
}

/** An answer as it is compared: people do not remember capitals, spaces and stops. */
export const plainAnswer = (answer: string) =>
  answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]/gu, '')

/** What is wrong with chosen questions, by field; undefined when they may be used. */
export function questionIssues(
  questions: readonly { question: string; answer: string }[],
): Record<string, IssueKind> | undefined {
  const issues: Record<string, IssueKind> = {}
  const seen = { questions: new Set<string>(), answers: new Set<string>() }
  for (const [at, { question, answer }] of questions.slice(0, questionCount).entries()) {
    const listed = (listedQuestions as readonly string[]).includes(question)
    const [asked, given] = [plainAnswer(question), plainAnswer(answer)]
    if (seen.questions.has(asked)) issues[`questions.${at}.question`] = 'twice'
    if (!listed && asked.length < 4) issues[`questions.${at}.question`] = 'length'
    if (seen.answers.has(given)) issues[`questions.${at}.answer`] = 'twice'
    if ([...given].length < 2 || (!listed && asked.includes(given)))
      issues[`questions.${at}.answer`] = 'answerWeak'
    seen.questions.add(asked)
    seen.answers.add(given)
  }
  return Object.keys(issues).length > 0 ? issues : undefined
}
