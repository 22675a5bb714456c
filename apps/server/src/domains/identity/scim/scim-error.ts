/** An error response (RFC 7644 §3.12). */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: string | undefined
  constructor(status: number, scimType: string | undefined, detail: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const notFound = () => new ScimError(404, undefined, 'The resource does not exist.')
export const invalid = (detail: string) => new ScimError(400, 'invalidValue', detail)
