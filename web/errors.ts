/** The message of anything that was thrown. */
export function messageOf(problem: unknown) {
  return problem instanceof Error ? problem.message : String(problem);
}
