/** Everybody knows these; a database that holds them is never used for real. */
export const demoUsernames = ['student', 'teacher', 'staff', 'admin', 'editor', 'reviewer']
export const demoPassword = 'Atrium-demo-2026'
