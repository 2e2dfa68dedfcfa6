// SPDX-License-Identifier: Apache-2.0
/*
 * Lets a user-mode kernel that knows small register areas only run on a processor with a large one (AMX).
 *
 * The machine's kernel accepts the extended registers of a traced process as a whole only: a shorter area is refused with EFAULT,
 * and user-mode Linux gives up. This shim then reads the whole area, puts the shorter one over its beginning and writes that back.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* Where the area says which of its parts are in use: 64 bits, one for each part. */
#define IN_USE 512
#define LEGACY_PARTS UINT64_C(3)

typedef long ptrace_function(int request, int pid, void *address, void *data);

/*
 * The parts that lie within the first size bytes. The processor is asked once for each size: in a virtual machine each question leaves
 * the machine, and a user-mode kernel sets registers at every switch.
 */
static uint64_t parts_within(size_t size)
{
	static uint64_t parts;
	static size_t asked;
	unsigned part, length, offset, c, d;

	if (asked == size)
		return parts;
	parts = LEGACY_PARTS;
	for (part = 2; part < 63; part++)
		if (__get_cpuid_count(13, part, &length, &offset, &c, &d) && length && offset + length <= size)
			parts |= UINT64_C(1) << part;
	asked = size;
	return parts;
}

static long set_beginning(ptrace_function *real, int pid, const struct iovec *beginning)
{
	static char area[1 << 16] __attribute__((aligned(64)));
	struct iovec whole = {area, sizeof area};
	uint64_t before, given, known;

	if (beginning->iov_len < IN_USE + 64 || beginning->iov_len > sizeof area) {
		errno = EFAULT;
		return -1;
	}
	if (real(PTRACE_GETREGSET, pid, (void *)NT_X86_XSTATE, &whole) < 0)
		return -1;
	memcpy(&before, area + IN_USE, sizeof before);
	memcpy(area, beginning->iov_base, beginning->iov_len);
	memcpy(&given, area + IN_USE, sizeof given);
	known = parts_within(beginning->iov_len);
	given = (given & known) | (before & ~known);
	memcpy(area + IN_USE, &given, sizeof given);
	return real(PTRACE_SETREGSET, pid, (void *)NT_X86_XSTATE, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
	static ptrace_function *real;
	va_list arguments;
	void *address, *data;
	long result;
	int pid;

	if (!real)
		real = (ptrace_function *)dlsym(RTLD_NEXT, "ptrace");
	va_start(arguments, request);
	pid = va_arg(arguments, int);
	address = va_arg(arguments, void *);
	data = va_arg(arguments, void *);
	va_end(arguments);
	result = real(request, pid, address, data);
	if (result < 0 && errno == EFAULT && request == PTRACE_SETREGSET && address == (void *)NT_X86_XSTATE)
		result = set_beginning(real, pid, data);
	return result;
}
