import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

const library = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const { version } = JSON.parse(readFileSync(path.join(library, 'package.json'), 'utf8')) as {
  version: string
}
/** The address contains the version, because browsers cache these files like everything under assets/. */
const mount = `assets/pdf-${version}/`
/** Character maps of Chinese fonts, standard fonts that a PDF may omit, and image decoders. */
const folders = ['cmaps', 'standard_fonts', 'wasm']

/** Serves the files that pdf.js loads while reading a document. */
export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    generateBundle() {
      for (const folder of folders)
        for (const name of readdirSync(path.join(library, folder)))
          this.emitFile({
            type: 'asset',
            fileName: `${mount}${folder}/${name}`,
            source: readFileSync(path.join(library, folder, name)),
          })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, requested] = (request.url ?? '').split(`/${mount}`)
        const file = requested && /^\w+\/[\w.-]+$/.test(requested) && path.join(library, requested)
        if (!file || !existsSync(file)) return next()
        createReadStream(file).pipe(response)
      })
    },
  }
}
