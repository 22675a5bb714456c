import { ApiError } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { useOpenService } from './open-service.ts'

/** A retry would not help: the address is invalid, or the service is not available to this member. */
export const isMissing = (error: Error | null): error is ApiError =>
  error instanceof ApiError && [400, 404].includes(error.status)

/** Explains this and links to the catalogue, or to the service itself if only its guide is missing. */
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
