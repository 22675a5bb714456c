import { useState } from 'react'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useFavouriteArticle, useFavouriteFiles } from './favourites-queries.ts'

/** The favourite button of an article. */
export function FavouriteArticle({ id }: { id: string }) {
  const { favourite, toggle } = useFavouriteArticle(id)
  return <Star label={m.favourites_star()} on={favourite} onToggle={toggle} />
}

/** The favourite button of one of our files that its reader may access permanently. */
export function FavouriteFile({ id, name }: { id: string; name: string }) {
  const link = `/files/${id}`
  const { links, toggle } = useFavouriteFiles()
  return (
    <Star
      label={m.favourites_star_of({ name })}
      on={links.includes(link)}
      onToggle={() => toggle(link, name)}
    />
  )
}

type StarProps = { label: string; on: boolean; onToggle: () => Promise<unknown> }

/** Asks visitors to sign in. */
function Star({ label, on, onToggle }: StarProps) {
  const member = useSession() !== null
  const [isConfirming, setIsConfirming] = useState(false)
  return (
    <>
      <IconButton
        label={label}
        aria-pressed={on}
        onClick={() => (member ? void onToggle() : setIsConfirming(true))}
      >
        <Icon name={on ? 'star-filled' : 'star'} />
      </IconButton>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.favourites_sign_in()}
        actions={<Button onClick={() => signIn()}>{m.shell_sign_in()}</Button>}
      >
        {m.favourites_sign_in_text()}
      </Dialog>
    </>
  )
}
