import type { ReactNode } from 'react'
import type { IconName } from '#ui/icon.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { HrefLink } from './link.tsx'
import { hrefOf } from './navigation.ts'
import type { Path, Target } from './screens.ts'

type LinkRowProps = { icon?: IconName; value?: ReactNode; children: ReactNode }

/** A row of a `RowList` that leads to a screen. */
export function LinkRow<P extends Path>(props: Target<P> & LinkRowProps) {
  const { to, search, icon, value, children } = props
  return (
    <li>
      <HrefLink className="list-row" href={hrefOf(to, search)}>
        <RowContent icon={icon} value={value} leads>
          {children}
        </RowContent>
      </HrefLink>
    </li>
  )
}
