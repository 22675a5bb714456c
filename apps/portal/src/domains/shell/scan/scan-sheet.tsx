import './scan.css'
import '#ui/form/button.css'
import { useCallback, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { type Detector, loadDetector } from './detector.ts'

type ScanSheetProps = { onScan: (text: string) => void; onClose: () => void }
type State = 'starting' | 'looking' | 'refused' | 'noCamera' | 'cannot' | 'nothing'

/** Milliseconds between two analysed camera frames: more often heats the phone without finding codes sooner. */
const scanInterval = 150

/** Reads a code with the camera, or from a picture if there is no camera or no permission. */
export default function ScanSheet({ onScan, onClose }: ScanSheetProps) {
  const [state, setState] = useState<State>('starting')
  // State rather than a ref: while a part of the surrounding page suspends, React detaches the element and attaches it
  // again later.
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  useCamera(video, setState, onScan)
  const choose = async (file: File | undefined) => {
    if (!file) return
    setState('starting')
    try {
      const result = await readPicture(file)
      if (result) onScan(result)
      else setState('nothing')
    } catch {
      setState('cannot')
    }
  }
  const words = {
    starting: m.scan_starting(),
    looking: m.scan_hint(),
    refused: m.scan_refused(),
    noCamera: m.scan_no_camera(),
    cannot: m.scan_cannot(),
    nothing: m.scan_nothing(),
  }
  return (
    <Sheet open onClose={onClose} title={m.scan_title()}>
      <div className="scan-view" data-state={state}>
        <video
          ref={setVideo}
          className="scan-video"
          muted
          playsInline
          aria-label={m.scan_camera()}
        />
        <Icon name="scan" />
      </div>
      <p className="scan-words" role="status">
        {words[state]}
      </p>
      <label className="button button-plain button-wide scan-picture">
        <Icon name="image" />
        {m.scan_picture()}
        <input
          type="file"
          accept="image/*"
          onChange={({ target }) => {
            void choose(target.files?.[0])
            // Allows choosing the same picture again.
            target.value = ''
          }}
        />
      </label>
    </Sheet>
  )
}

/** Runs the camera while the sheet is open and reports the first code found. */
function useCamera(
  video: HTMLVideoElement | null,
  setState: (state: State) => void,
  onScan: (text: string) => void,
) {
  const onScanRef = useRef(onScan)
  onScanRef.current = onScan
  const run = useCallback(
    async (element: HTMLVideoElement, signal: AbortSignal) => {
      let stream: MediaStream
      try {
        // Missing on plain HTTP.
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
        })
      } catch (error) {
        const refused = (error as DOMException).name === 'NotAllowedError'
        if (!signal.aborted) setState(refused ? 'refused' : 'noCamera')
        return
      }
      const stop = () => {
        for (const track of stream.getTracks()) track.stop()
      }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop)
      element.srcObject = stream
      await element.play()
      const detector = await loadDetector()
      if (signal.aborted) return
      setState('looking')
      const text = await scanFrames(detector, element, signal)
      if (text) onScanRef.current(text)
    },
    [setState],
  )
  useEffect(() => {
    if (!video) return
    const end = new AbortController()
    run(video, end.signal).catch(() => {
      if (!end.signal.aborted) setState('cannot')
    })
    return () => end.abort()
  }, [run, setState, video])
}

async function scanFrames(detector: Detector, video: HTMLVideoElement, signal: AbortSignal) {
  while (!signal.aborted) {
    const [code] = video.readyState >= 2 ? await detector.detect(video) : []
    if (signal.aborted) return ''
    if (code?.rawValue) return code.rawValue
    await new Promise((resolve) => setTimeout(resolve, scanInterval))
  }
  return ''
}

async function readPicture(file: File) {
  const url = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = url
    await picture.decode()
    const [code] = await (await loadDetector()).detect(picture)
    return code?.rawValue ?? ''
  } finally {
    URL.revokeObjectURL(url)
  }
}
