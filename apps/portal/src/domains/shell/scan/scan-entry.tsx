import { lazy, Suspense, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { callContainer } from '#shell/container/container.ts'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'

const ScanSheet = lazy(() => import('#domains/shell/scan/scan-sheet.tsx'))

/** Opens the scanner: the container's own if it has one, else the camera in a sheet. */
export function ScanEntry() {
  const { isShowScan, scanWhiteList } = useSettings()
  const [isScanning, setIsScanning] = useState(false)
  if (isShowScan === '0') return null
  const opened = async (text: string) => {
    setIsScanning(false)
    const { openScan } = await import('#domains/shell/scan/open-scan.ts')
    openScan(text, scanWhiteList)
  }
  const start = async () => {
    try {
      await opened((await callContainer('scanCode')).text)
    } catch (error) {
      // A user who closed the container's scanner does not want another one.
      if ((error as { reason?: string }).reason !== 'refused') setIsScanning(true)
    }
  }
  return (
    <>
      <IconButton label={m.scan_title()} onClick={() => void start()}>
        <Icon name="scan" />
      </IconButton>
      {isScanning ? (
        <Suspense>
          <ScanSheet onScan={(text) => void opened(text)} onClose={() => setIsScanning(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
