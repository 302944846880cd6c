import { skillsMiddleware } from '@embed-skills/runtime/express'
import skills from './skills.js'

export default skillsMiddleware(skills, { auth: 'public' })
