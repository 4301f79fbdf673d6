import { card03, card10, skill, without } from '../cards.ts'
import type { Cases } from './types.ts'

/** What the agent can do. */
export const skills: Cases = {
  'card/skill-description': {
    broken: card10({ skills: [skill({ description: '' })] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0].description is empty',
  },
  'card/skill-examples': [
    {
      broken: card03({ skills: [skill({ examples: [{}] })] }),
      repaired: card03({ skills: [skill({ examples: ['hi'] })] }),
      level: 'warning',
      says: 'skills[0].examples must be a list of strings, but [0] is an object',
    },
    {
      broken: card10({ skills: [skill({ examples: 'hi' })] }),
      repaired: card10(),
      level: 'error',
      says: 'skills[0].examples must be a list of strings, not "hi"',
    },
  ],
  'card/skill-id': {
    broken: card10({ skills: [skill({ id: 5 })] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0].id must be a string, not 5',
  },
  'card/skill-id-unique': [
    {
      broken: card03({ skills: [skill(), skill()] }),
      repaired: card03({ skills: [skill(), skill({ id: 'b' })] }),
      level: 'error',
      says: 'skills[1].id "echo" is also the id of skills[0]',
    },
    {
      broken: card10({ skills: [skill(), skill()] }),
      repaired: card10(),
      level: 'warning',
      says: 'is also the id of skills[0]',
    },
  ],
  'card/skill-modes': {
    broken: card10({ skills: [skill({ inputModes: 'text/plain' })] }),
    repaired: card10({ skills: [skill({ inputModes: ['text/plain'] })] }),
    level: 'error',
    says: 'skills[0].inputModes must be a list of strings',
  },
  'card/skill-name': {
    broken: card10({ skills: [without(skill(), 'name')] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0].name is missing',
  },
  'card/skill-object': {
    broken: card10({ skills: [null] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0] must be an object, not null',
  },
  'card/skill-tags': [
    {
      broken: card10({ skills: [without(skill(), 'tags')] }),
      repaired: card10(),
      level: 'error',
      says: 'skills[0].tags is missing',
    },
    {
      broken: card10({ skills: [skill({ tags: [] })] }),
      repaired: card10(),
      level: 'warning',
      says: 'skills[0].tags is empty',
    },
    {
      broken: card03({ skills: [skill({ tags: null })] }),
      repaired: card03(),
      level: 'warning',
      says: 'skills[0].tags is null',
    },
  ],
  'card/skills': {
    broken: card10({ skills: 'echo' }),
    repaired: card10(),
    level: 'error',
    says: 'skills must be a list, not "echo"',
  },
  'card/skills-empty': {
    broken: card10({ skills: [] }),
    repaired: card10(),
    level: 'warning',
    says: 'skills is empty',
  },
}
