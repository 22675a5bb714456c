import './qr-code.css'
import { encode } from 'uqr'

/** A QR code, dark on light in every scheme: many scanners read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3, ecc: 'M' })
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className="qr-code-light" d={`M0 0h${size}v${size}H0z`} />
      <path className="qr-code-dark" d={path} />
    </svg>
  )
}
