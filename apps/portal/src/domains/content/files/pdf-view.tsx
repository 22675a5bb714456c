import { figures } from '@atrium/rules/figures'
import type { PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist'
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Skeleton } from '#ui/feedback/skeleton.tsx'

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl

/** Fonts, character maps and decoders, served by us; Chinese documents need them. */
const assets = `/assets/pdf-${pdfjs.version}/`
/** More pages would exhaust a phone's memory; the download has the rest. */
const maxPages = 200

type PdfViewProps = { url: string; name: string; failed: ReactNode }

/** The pages of a PDF one below the other, each drawn shortly before it comes into view. */
export default function PdfView({ url, name, failed }: PdfViewProps) {
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const loading = pdfjs.getDocument({
      url,
      // The page's Content-Security-Policy forbids eval.
      isEvalSupported: false,
      enableXfa: false,
      cMapUrl: `${assets}cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${assets}standard_fonts/`,
      wasmUrl: `${assets}wasm/`,
    })
    let isUnmounted = false
    // Give up if the download stalls.
    const giveUp = () => setBroken(true)
    let timer = setTimeout(giveUp, figures.downloadTimeout)
    loading.onProgress = () => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, figures.downloadTimeout)
    }
    loading.promise
      .then(
        (document) => (isUnmounted ? undefined : setPdf(document)),
        () => (isUnmounted ? undefined : setBroken(true)),
      )
      .finally(() => {
        loading.onProgress = () => {}
        clearTimeout(timer)
      })
    return () => {
      isUnmounted = true
      clearTimeout(timer)
      void loading.destroy()
    }
  }, [url])
  if (isBroken) return failed
  if (!pdf) return <Skeleton height={480} label={m.shell_loading()} />
  const pages = Math.min(pdf.numPages, maxPages)
  return (
    <>
      <ol className="pdf" aria-label={name}>
        {Array.from({ length: pages }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages stay where they are
          <PdfPage key={at} pdf={pdf} number={at + 1} of={pdf.numPages} />
        ))}
      </ol>
      {pages < pdf.numPages ? <p className="file-note muted">{m.files_truncated()}</p> : null}
    </>
  )
}

type PdfPageProps = { pdf: PDFDocumentProxy; number: number; of: number }

function PdfPage({ pdf, number, of }: PdfPageProps) {
  const place = useRef<HTMLLIElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isNear, setNear] = useState(false)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!place.current) return
    const watcher = new IntersectionObserver(
      (entries) => setNear(entries.some((entry) => entry.isIntersecting)),
      { rootMargin: '800px' },
    )
    watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [])
  useEffect(() => {
    if (!isNear || !canvas.current || !place.current) return
    const target = canvas.current
    const width = place.current.clientWidth
    let task: RenderTask | undefined
    let left = false
    const draw = async () => {
      const page = await pdf.getPage(number)
      if (left) return
      task = render(page, target, width)
      await task.promise
      if (!left) setText(await textOf(page))
    }
    draw().catch(() => {})
    return () => {
      left = true
      task?.cancel()
    }
  }, [isNear, pdf, number])
  return (
    <li ref={place} className="pdf-page">
      <canvas ref={canvas} role="img" aria-label={m.files_pdf_page({ number, of })} />
      <p className="unseen">{text}</p>
    </li>
  )
}

function render(page: PDFPageProxy, canvas: HTMLCanvasElement, width: number) {
  const scale = (width / page.getViewport({ scale: 1 }).width) * Math.min(devicePixelRatio, 2)
  const viewport = page.getViewport({ scale })
  canvas.width = viewport.width
  canvas.height = viewport.height
  return page.render({ canvas, viewport })
}

/** The text of a page, for screen readers. */
async function textOf(page: PDFPageProxy) {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join(' ')
}
