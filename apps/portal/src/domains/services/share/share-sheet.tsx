import './share.css'
import type { ShareLink } from '@atrium/contract/services/share'
import { useEffect, useState } from 'react'
import { environment } from '#lib/environment.ts'
import { formatDay } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { copyText, shareLink } from '#shell/container/actions.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import type { Poster } from './poster.ts'
import { shareItem } from './share-item.ts'
import { type Shareable, useShareLink, useShareWithName } from './share-queries.ts'

/** The ways to share an item, and whether the member's name is included. */
export function ShareSheet({ kind, id, onClose }: Shareable & { onClose: () => void }) {
  const member = useSession() !== null
  const { named, setNamed } = useShareWithName()
  const link = useShareLink({ kind, id }, named, true)
  const { timeZone } = useSystem()
  return (
    <Sheet open onClose={onClose} title={m.share_share()}>
      <div className="share-sheet">
        {member ? <Switch label={m.share_named()} checked={named} onChange={setNamed} /> : null}
        <QueryView
          query={link}
          skeleton={<Skeleton rows={3} height={50} label={m.shell_loading()} />}
        >
          {(data) => (
            <>
              <p className="muted" role="status">
                {named
                  ? m.share_named_yes({ name: inLanguage(data.sharerName, data.sharerNameEn) })
                  : m.share_named_no()}
              </p>
              <ShareTargets key={data.url} link={data} />
              <p className="muted num">
                {m.share_until({ day: formatDay(data.expiresAt, timeZone) })}
              </p>
            </>
          )}
        </QueryView>
      </div>
    </Sheet>
  )
}

/** Whether there is a way to share besides the clipboard. */
const canSend = () =>
  environment.isWeChat || environment.container === 'superApp' || navigator.share !== undefined

function ShareTargets({ link }: { link: ShareLink }) {
  const { school } = useSystem()
  const [menu, setMenu] = useState(false)
  const [poster, setPoster] = useState<Poster | 'making' | 'failed'>()
  const title = inLanguage(link.title, link.titleEn)
  useEffect(
    () => () => {
      if (typeof poster === 'object') URL.revokeObjectURL(poster.address)
    },
    [poster],
  )
  const make = async () => {
    setPoster('making')
    try {
      const { drawPoster } = await import('./poster.ts')
      setPoster(await drawPoster(link, school))
    } catch {
      setPoster('failed')
    }
  }
  return (
    <>
      <ul className="share-ways">
        {canSend() ? (
          <li>
            <button
              type="button"
              className="list-row"
              onClick={async () => setMenu((await shareLink(shareItem(link))) === 'menu')}
            >
              <RowContent icon={environment.isWeChat ? 'chat' : 'share'}>
                {environment.isWeChat ? m.share_wechat() : m.share_system()}
              </RowContent>
            </button>
          </li>
        ) : null}
        <li>
          <button type="button" className="list-row" onClick={() => void copyText(link.url)}>
            <RowContent icon="link">{m.share_copy()}</RowContent>
          </button>
        </li>
        <li>
          <button
            type="button"
            className="list-row"
            aria-busy={poster === 'making' || undefined}
            onClick={() => void make()}
          >
            <RowContent icon="image">{m.share_poster()}</RowContent>
          </button>
        </li>
      </ul>
      {menu ? (
        <p className="share-menu" role="status">
          <Icon name="more" />
          {m.share_menu()}
        </p>
      ) : null}
      {poster === 'failed' ? <p role="alert">{m.share_poster_failed()}</p> : null}
      {typeof poster === 'object' ? (
        <figure className="share-poster">
          <img
            src={poster.address}
            alt={m.share_poster_alt({ title })}
            width={poster.width}
            height={poster.height}
          />
          <figcaption className="muted">{m.share_poster_press()}</figcaption>
          {environment.isWeChat || environment.container === 'superApp' ? null : (
            <Button kind="plain" small onClick={() => savePicture(poster.address)}>
              {m.share_poster_save()}
            </Button>
          )}
        </figure>
      ) : null}
    </>
  )
}

function savePicture(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = 'poster.png'
  link.click()
}
