import { type ReactNode, useEffect, useRef } from 'react'

/** Takes the focus, so that what is due is what is read next. */
export function StepHeading({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="login-step-head">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p className="muted">{children}</p>
    </div>
  )
}
