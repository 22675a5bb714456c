import './skeleton.css'

/** Placeholder for loading content. `height` in pixels for one block, `rows` for the lines of a list. */
export function Skeleton({
  rows = 1,
  height = 64,
  label,
}: {
  rows?: number
  height?: number
  label: string
}) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are all alike
        <div key={row} className="skeleton-row" style={{ height }} />
      ))}
    </div>
  )
}
