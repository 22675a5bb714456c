import { type ReactNode, useEffect, useRef } from 'react'

/** A heading that takes the focus, so that screen readers read the step next. */
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
