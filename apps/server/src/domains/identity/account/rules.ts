import {
  listedQuestions,
  type Need,
  questionCount,
  type SecurityChange,
} from '@atrium/contract/identity/account'
import type { IssueKind } from '#platform/http/errors.ts'

/** Proofs given in a session in addition to its confirmation. */
export type ProofKind = 'mobile' | 'email' | 'questions'

export type ProofStatus = {
  confirmed: boolean
  proofs: readonly ProofKind[]
  /** the person has a contact that can receive a code */
  hasContact: boolean
  /** security questions are enabled and the person has set some */
  hasQuestions: boolean
}

/**
 * Proofs required before a change, in the order they are requested. Security questions are additional to a confirmation
 * and never replace it; only when changing the questions themselves are the old answers equivalent to a contact.
 */
export function needsOf(change: SecurityChange, status: ProofStatus): Need[] {
  const { confirmed, proofs, hasContact, hasQuestions } = status
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

/** Normalises an answer for comparison: case, spaces and punctuation are ignored. */
export const normalizeAnswer = (answer: string) =>
  answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]/gu, '')

/** Issues with the chosen questions, by field; undefined if they are acceptable. */
export function questionIssues(
  questions: readonly { question: string; answer: string }[],
): Record<string, IssueKind> | undefined {
  const issues: Record<string, IssueKind> = {}
  const seen = { questions: new Set<string>(), answers: new Set<string>() }
  for (const [index, { question, answer }] of questions.slice(0, questionCount).entries()) {
    const isListed = (listedQuestions as readonly string[]).includes(question)
    const [questionText, answerText] = [normalizeAnswer(question), normalizeAnswer(answer)]
    if (seen.questions.has(questionText)) issues[`questions.${index}.question`] = 'twice'
    if (!isListed && questionText.length < 4) issues[`questions.${index}.question`] = 'length'
    if (seen.answers.has(answerText)) issues[`questions.${index}.answer`] = 'twice'
    if ([...answerText].length < 2 || (!isListed && questionText.includes(answerText)))
      issues[`questions.${index}.answer`] = 'answerWeak'
    seen.questions.add(questionText)
    seen.answers.add(answerText)
  }
  return Object.keys(issues).length > 0 ? issues : undefined
}
