/** Publicly known credentials; a database that contains them must never be used in production. */
export const demoUsernames = ['student', 'teacher', 'staff', 'admin', 'editor', 'reviewer']
export const demoPassword = 'Atrium-demo-2026'
