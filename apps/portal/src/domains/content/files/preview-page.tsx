import './files.css'
import '#ui/form/icon-button.css'
import { type FilePreview, files } from '@atrium/contract/content/files'
import { cleanFileName, formatBytes, formatOfName } from '@atrium/rules/file-kinds'
import { useQuery } from '@tanstack/react-query'
import { FavouriteFile } from '#domains/member/favourites/favourite-button.tsx'
import { ApiError } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { downloadOf, type MediaAddress, mediaAddress } from './media-address.ts'
import { Player, PreviewView } from './preview-view.tsx'

/**
 * Previews one of our files, or a video or sound of a host that operators have listed. Other addresses open outside the
 * app, or are refused.
 */
export default function PreviewPage() {
  const { url } = useSearch('/pagesA/news/video')
  const { mediaHosts } = useSettings()
  const address = mediaAddress(url, location.origin, hostsOf(mediaHosts))
  if (address.kind === 'file') return <FilePage {...address} />
  return (
    <Page>
      <div className="column stack">
        <ExternalMedia address={address} />
      </div>
    </Page>
  )
}

function ExternalMedia({ address }: { address: Exclude<MediaAddress, { kind: 'file' }> }) {
  if (address.kind === 'play' || address.kind === 'sound')
    return <Player kind={address.kind === 'play' ? 'video' : 'audio'} url={address.url} name="" />
  if (address.kind === 'outside')
    return (
      <Empty
        icon="external"
        title={m.files_outside()}
        action={
          <Link
            className="button button-primary"
            to="/pages/webview/webview"
            search={{ url: address.url }}
          >
            {m.files_outside_open()}
          </Link>
        }
      >
        {m.files_outside_text({ host: new URL(address.url).host })}
      </Empty>
    )
  return (
    <Empty
      icon="warning"
      title={m.files_refused()}
      action={
        <Button kind="plain" onClick={() => back()}>
          {m.shell_back()}
        </Button>
      }
    >
      {m.files_refused_text()}
    </Empty>
  )
}

type FilePageProps = Extract<MediaAddress, { kind: 'file' }>

function FilePage({ id, name: called, expires, signature }: FilePageProps) {
  const query = useQuery({
    ...q(files.preview, {
      params: { id },
      query: { ...(expires && { expires }), ...(signature && { signature }) },
    }),
    // Poll only while an office file is being converted; otherwise a refetch would restart what is being viewed.
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? 3000 : false),
    staleTime: 9 * 60_000,
  })
  const { data } = query
  return (
    <Page
      title={data ? nameOf(data, called) : m.files_preview_title()}
      actions={
        data ? (
          <>
            {data.lasting ? <FavouriteFile id={data.id} name={nameOf(data, called)} /> : null}
            <a
              className="icon-button"
              href={data.downloadUrl}
              download={nameOf(data, called)}
              aria-label={m.files_download_named({ name: nameOf(data, called) })}
            >
              <Icon name="download" />
            </a>
          </>
        ) : null
      }
    >
      <div className="column stack">
        {query.error instanceof ApiError && [403, 404].includes(query.error.status) ? (
          <Refused error={query.error} />
        ) : (
          <QueryView query={query} skeleton={<Skeleton height={320} label={m.shell_loading()} />}>
            {(preview) => (
              <>
                <PreviewView preview={{ ...preview, name: nameOf(preview, called) }} />
                <p className="file-name muted num">
                  <Facts of={[nameOf(preview, called), formatBytes(preview.byteSize)]} />
                </p>
              </>
            )}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

/** A retry would not help: the file is not accessible to this user, or operators have turned previews off. */
function Refused({ error }: { error: ApiError }) {
  const { url } = useSearch('/pagesA/news/video')
  if (error.status === 403)
    return (
      <Empty
        icon="file"
        title={m.files_unavailable()}
        action={
          <a className="button button-primary" href={downloadOf(url)} download>
            {m.files_download()}
          </a>
        }
      >
        {m.files_unavailable_text()}
      </Empty>
    )
  return (
    <Empty
      icon="file"
      title={error.message}
      action={
        <Button kind="plain" onClick={() => back()}>
          {m.shell_back()}
        </Button>
      }
    >
      {m.files_gone_text()}
    </Empty>
  )
}

/**
 * The file's own name. For a nameless file: the name given by the link, if it fits the media type, or the title of the
 * content that shows it.
 */
function nameOf({ id, name, mediaType, title = '', titleEn = '' }: FilePreview, called = '') {
  if (name !== id) return name
  if (formatOfName(called)?.mediaType === mediaType) return cleanFileName(called)
  return inLanguage(title, titleEn) || m.files_media()
}

function hostsOf(setting: string | undefined): string[] {
  try {
    return JSON.parse(setting ?? '[]')
  } catch {
    return []
  }
}
