import { personal } from '@atrium/contract/member/personal'
import { home } from '@atrium/contract/shell/home'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '#lib/format.ts'
import { invalidate } from '#lib/queries.ts'
import { uploadFile } from '#lib/send-file.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Avatar } from '#ui/media/avatar.tsx'

/** The portrait, with a button to replace it. The server crops it to a square. */
export function PortraitField({ name, url }: { name: string; url: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const send = async (file: File) => {
    sending.current = new AbortController()
    const { signal } = sending.current
    setShare(0)
    try {
      await uploadFile(personal.portrait.path, file, { signal, onProgress: setShare })
      invalidate(personal.me, home.read)
      toast(m.personal_portrait_done())
    } catch (error) {
      if (!signal.aborted) toast((error as Error).message)
    } finally {
      if (!signal.aborted) setShare(undefined)
    }
  }
  return (
    <div className="profile-head">
      <Avatar name={name} url={url} size={72} />
      <Button kind="plain" small busy={share !== undefined} onClick={() => field.current?.click()}>
        {share === undefined
          ? m.personal_portrait_change()
          : m.personal_portrait_sending({ share: formatNumber(Math.round(share * 100)) })}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={m.personal_portrait_change()}
        accept="image/jpeg,image/png,image/webp"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Allows choosing the same picture again after a failure.
          target.value = ''
          if (file) void send(file)
        }}
      />
    </div>
  )
}
