import { QuestionsForm } from './questions-form.tsx'

export default function SetQuestionsPage() {
  return <QuestionsForm />
}
