import { type FeedbackPhoto, feedbackPhotos, maxPhotoBytes } from '@atrium/contract/member/feedback'
import { ApiError } from '#lib/api.ts'
import { uploadPicture } from '#lib/send-picture.ts'
import { m } from '#paraglide/messages.js'
import { type Send, UploadRefused } from '#ui/form/uploads.ts'

/** Uploads a photo; one that is too large is not sent. */
export const sendPhoto: Send<FeedbackPhoto> = async (file, options) => {
  if (file.size > maxPhotoBytes)
    throw new UploadRefused(m.feedback_photo_too_large({ max: maxPhotoBytes / 1024 / 1024 }))
  try {
    return await uploadPicture(feedbackPhotos.add, file, options)
  } catch (error) {
    // Transient errors may be retried; the server's refusal of this picture is final.
    if (error instanceof ApiError && !error.isTransient && error.status !== 401)
      throw new UploadRefused(error.message)
    throw error
  }
}
