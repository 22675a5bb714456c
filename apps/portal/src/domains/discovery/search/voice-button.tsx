import { useEffect, useRef, useState } from 'react'
import { htmlLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** Voice input, if the browser supports speech recognition. */
export function VoiceButton({ onWords }: { onWords: (words: string, final: boolean) => void }) {
  const [listening, setListening] = useState(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  if (!canListen()) return null
  const start = () => {
    setListening(true)
    toast(m.search_voice_listening())
    stop.current = listen({
      onWords,
      onFailed: (reason) =>
        toast(reason === 'refused' ? m.search_voice_refused() : m.search_voice_failed()),
      onEnd: () => setListening(false),
    })
  }
  return (
    <IconButton
      label={listening ? m.search_voice_stop() : m.search_voice()}
      onClick={() => (listening ? stop.current?.() : start())}
    >
      <Icon name="mic" />
    </IconButton>
  )
}

/** The parts of the Web Speech API used here; TypeScript's library does not have them. */
type Recognition = {
  lang: string
  interimResults: boolean
  onresult: (event: {
    results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>
  }) => void
  onerror: (event: { error: string }) => void
  onend: () => void
  start: () => void
  abort: () => void
}
type Recognizer = new () => Recognition

const recognizer = () => {
  const speechWindow = window as {
    SpeechRecognition?: Recognizer
    webkitSpeechRecognition?: Recognizer
  }
  return speechWindow.SpeechRecognition ?? speechWindow.webkitSpeechRecognition
}

const canListen = () => recognizer() !== undefined

type Listening = {
  /** Called with the words recognised so far. */
  onWords: (words: string, final: boolean) => void
  /** `refused`: no permission to use the microphone. */
  onFailed: (reason: 'refused' | 'not-heard') => void
  onEnd: () => void
}

/** Listens to one sentence; returns a function that stops it. */
function listen({ onWords, onFailed, onEnd }: Listening) {
  const SpeechRecognizer = recognizer()
  if (!SpeechRecognizer) return () => undefined
  const recognition = new SpeechRecognizer()
  recognition.lang = htmlLang()
  recognition.interimResults = true
  recognition.onresult = ({ results }) => {
    const [sentence] = Array.from(results)
    const words = sentence?.[0]?.transcript.trim()
    if (sentence && words) onWords(words, sentence.isFinal)
  }
  recognition.onerror = ({ error }) => {
    if (error !== 'aborted')
      onFailed(error === 'not-allowed' || error === 'service-not-allowed' ? 'refused' : 'not-heard')
  }
  recognition.onend = onEnd
  recognition.start()
  return () => recognition.abort()
}
