import { type ListedQuestion, listedQuestions } from '@atrium/contract/identity/account'
import { m } from '#paraglide/messages.js'

const texts: Record<ListedQuestion, () => string> = {
  firstTeacher: m.account_question_first_teacher,
  childhoodFriend: m.account_question_childhood_friend,
  childhoodStreet: m.account_question_childhood_street,
  firstSchool: m.account_question_first_school,
  firstBook: m.account_question_first_book,
  firstConcert: m.account_question_first_concert,
  favouriteDish: m.account_question_favourite_dish,
  grandparentsTown: m.account_question_grandparents_town,
}

const isListed = (question: string): question is ListedQuestion =>
  (listedQuestions as readonly string[]).includes(question)

/** A listed question in the reader's language, or the member's own text. */
export const questionText = (question: string) =>
  isListed(question) ? texts[question]() : question
