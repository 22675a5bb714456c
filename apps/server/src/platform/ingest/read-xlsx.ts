import { StartError } from '#platform/environment.ts'
import { ArchiveError, checkZip } from '#platform/storage/check-zip.ts'

/** Maximum unpacked XML, about a million rows: the reader keeps a whole sheet in memory. */
const maxUnpacked = 300_000_000

/**
 * The rows of a workbook's first sheet as texts: numbers as written, dates as YYYY-MM-DD.
 * @returns others: the names of the sheets that were not read
 * @throws StartError
 */
export async function readXlsx(file: string): Promise<{ rows: string[][]; others: string[] }> {
  try {
    // The reader trusts the sizes declared in the archive.
    await checkZip(file, { encrypted: false, unpacked: maxUnpacked })
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new StartError(
      `${file} cannot be unpacked safely: ${error.message}. Save it again as .xlsx or “CSV UTF-8”.`,
    )
  }
  const { default: readWorkbook } = await import('read-excel-file/node')
  try {
    const [first, ...others] = await readWorkbook(file, { parseNumber: (text) => text as never })
    return {
      rows: (first?.data ?? []).map((row) => row.map((cell) => cellText(cell))),
      others: others.map(({ sheet }) => sheet),
    }
  } catch (error) {
    throw new StartError(
      `${file} cannot be read as an Excel workbook (.xlsx): ${(error as Error).message}. Save it again as .xlsx or “CSV UTF-8”.`,
    )
  }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '')
  const text = String(cell)
  // Excel stores long numbers as 2.0260001E7.
  return /^-?\d+(\.\d+)?E[+-]?\d+$/i.test(text) ? String(Number(text)) : text
}
