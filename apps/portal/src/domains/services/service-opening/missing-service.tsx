import { ApiError } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { useOpenService } from './open-service.ts'

/** Trying again would not help: the address is no good, or what it names is not there for this member. */
export const isMissing = (error: Error | null): error is ApiError =>
  error instanceof ApiError && [400, 404].includes(error.status)

/** Says so and leads on: to the catalogue, or to the service itself where only its guide is missing. */
export function MissingService({ error, serviceId }: { error: ApiError; serviceId: string }) {
  const { open, opening } = useOpenService()
  if (error.code === 'service.no_guide')
    return (
      <Empty
        icon="file"
        title={error.message}
        action={
          <Button busy={opening === serviceId} onClick={() => open(serviceId, true)}>
            {m.services_open()}
          </Button>
        }
      >
        {m.services_no_guide_text()}
      </Empty>
    )
  return (
    <Empty
      icon="grid"
      title={error.message}
      action={
        <Link className="button button-plain" to="/pages/tab/service/index">
          {m.services_all()}
        </Link>
      }
    >
      {m.services_missing_text()}
    </Empty>
  )
}
