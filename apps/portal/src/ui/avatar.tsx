import './avatar.css'

/** A portrait, or the first letter of the name. Decoration: the name stands beside it. */
export function Avatar({ name, url, size = 60 }: { name: string; url?: string; size?: number }) {
  const style = { width: size, height: size, fontSize: size * 0.4 }
  if (url)
    return <img className="avatar" src={url} alt="" width={size} height={size} style={style} />
  return (
    <span className="avatar" style={style} aria-hidden="true">
      {[...name][0]}
    </span>
  )
}
