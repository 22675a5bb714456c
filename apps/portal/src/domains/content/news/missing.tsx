import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'

type MissingProps = { title: string; member: string; visitor: string }

/** Shown if a retry would not help: offers all news, or signing in. */
export function Missing({ title, member, visitor }: MissingProps) {
  const signedIn = useSession() !== null
  return (
    <Empty
      icon="news"
      title={title}
      action={
        signedIn ? (
          <Button onClick={() => redirect('/pagesA/news/news')}>{m.news_all_news()}</Button>
        ) : (
          <Button onClick={() => signIn()}>{m.shell_sign_in()}</Button>
        )
      }
    >
      {signedIn ? member : visitor}
    </Empty>
  )
}
