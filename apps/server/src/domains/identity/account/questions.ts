import { hashingOf } from '#domains/identity/identity/password.ts'
import { clearFailures, countFailure, findThrottle } from '#domains/identity/identity/queries.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { listAnswerHashes } from './queries.ts'
import { normalizeAnswer, questionIssues } from './rules.ts'

/** Stricter than for passwords, because answers are easier to guess. */
const throttle = { free: 1, maxSeconds: 3600 }

export async function requireQuestionsEnabled(platform: Platform) {
  if ((await currentSettings(platform)).securityQuestions !== '1') fail('account.questions_off')
}

/**
 * Compares all answers, so that timing reveals nothing about a single one.
 * @throws account.answers_wrong, login.too_many
 */
export async function checkAnswers(platform: Platform, viewer: Member, answers: readonly string[]) {
  const { db } = platform
  const key = `questions:${viewer.personId}`
  const { blockedSeconds } = await findThrottle(db, [key])
  if (blockedSeconds > 0) fail('login.too_many', { retryAfter: blockedSeconds })
  const hashes = await listAnswerHashes(db, viewer.personId)
  if (hashes.length === 0) fail('account.questions_off')
  const matches = await Promise.all(
    hashes.map(({ hash }, index) =>
      hashingOf(platform).matches(hash, normalizeAnswer(answers[index] ?? '')),
    ),
  )
  if (matches.includes(false)) {
    await countFailure(db, key, throttle)
    fail('account.answers_wrong')
  }
  await clearFailures(db, key)
}

/** @throws account.questions_refused with the rejected fields */
export async function hashAnswers(
  platform: Platform,
  questions: readonly { question: string; answer: string }[],
) {
  const fields = questionIssues(questions)
  if (fields) fail('account.questions_refused', { fields })
  const hashing = hashingOf(platform)
  return Promise.all(
    questions.map(async ({ question, answer }) => ({
      question: question.trim(),
      hash: await hashing.hash(normalizeAnswer(answer)),
    })),
  )
}
