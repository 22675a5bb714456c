import { evaluationPhotos, type Photo } from '@atrium/contract/services/evaluation'
import { uploadPicture } from '#lib/send-picture.ts'
import type { Send } from '#ui/form/uploads.ts'

export const sendPhoto: Send<Photo> = (file, options) =>
  uploadPicture(evaluationPhotos.add, file, options)
