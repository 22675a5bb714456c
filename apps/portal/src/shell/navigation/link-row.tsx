import type { ReactNode } from 'react'
import { RowContent } from '#ui/list-row.tsx'
import type { IconName } from '#ui/media/icon.tsx'
import { HrefLink } from './link.tsx'
import { hrefOf } from './navigation.ts'
import type { Path, Target } from './screens.ts'

type LinkRowProps = { icon?: IconName; value?: ReactNode; children: ReactNode }

/** A row of a `RowList` that leads to a screen. */
export function LinkRow<P extends Path>({ to, search, ...rest }: Target<P> & LinkRowProps) {
  return <HrefRow href={hrefOf(to, search)} {...(rest as LinkRowProps)} />
}

/** The same for one of our addresses that is only known at run time. */
export function HrefRow({ href, icon, value, children }: LinkRowProps & { href: string }) {
  return (
    <li>
      <HrefLink className="list-row" href={href}>
        <RowContent icon={icon} value={value} leads>
          {children}
        </RowContent>
      </HrefLink>
    </li>
  )
}
