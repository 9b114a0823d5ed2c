/**
 * Imports that run against the order of the wings, or from one feature to another: each is a thread by which a feature is
 * still woven into the trunk, or a part that stands too high. The list only gets shorter; what is not in it is refused.
 */
export const woven: Record<string, string[]> = {};
