import type { Service } from '@atrium/contract/services/services'
import { useState } from 'react'
import { useFavouriteServices } from '#domains/member/favourites/favourites-queries.ts'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { ServiceRow } from './service-row.tsx'
import { ServiceSheet } from './service-sheet.tsx'

type ServiceListProps = {
  list: readonly Service[]
  label: string
  words?: string
  /** Called before a service opens. */
  onOpen?: () => void
}

/** A list of services with their actions. */
export function ServiceList({ list, label, words, onOpen }: ServiceListProps) {
  const member = useSession() !== null
  const { open, opening } = useOpenService()
  const favourites = useFavouriteServices()
  const [shown, setShown] = useState<Service>()
  const [isConfirming, setIsConfirming] = useState(false)
  const openService = (service: Service) => {
    onOpen?.()
    setShown(undefined)
    open(service.serviceId)
  }
  const favour = ({ serviceId }: Service) => {
    if (member) void favourites.toggle(serviceId)
    else setIsConfirming(true)
  }
  return (
    <>
      <ul aria-label={label}>
        {list.map((service) => (
          <ServiceRow
            key={service.serviceId}
            service={service}
            words={words}
            favourite={favourites.ids.includes(service.serviceId)}
            opening={opening === service.serviceId}
            onOpen={() => openService(service)}
            onInfo={() => setShown(service)}
          />
        ))}
      </ul>
      {shown ? (
        <ServiceSheet
          service={shown}
          favourite={favourites.ids.includes(shown.serviceId)}
          onOpen={() => openService(shown)}
          onFavourite={() => favour(shown)}
          onClose={() => setShown(undefined)}
        />
      ) : null}
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.services_sign_in_title()}
        actions={<Button onClick={() => signIn()}>{m.shell_sign_in()}</Button>}
      >
        {m.services_sign_in_text()}
      </Dialog>
    </>
  )
}
