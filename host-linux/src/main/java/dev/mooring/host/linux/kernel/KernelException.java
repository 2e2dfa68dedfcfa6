// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;

/** A system call that failed. Stays within the package: at its border it becomes an outcome. */
public final class KernelException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int errno;
    private final String text;

    public KernelException(int errno, String what) {
        super(what, null, false, false);
        this.errno = errno;
        this.text = what + ": " + Errno.text(what, errno);
    }

    @Override
    public String getMessage() {
        return text;
    }

    public int errno() {
        return errno;
    }

    public boolean is(int wanted) {
        return errno == wanted;
    }

    /** The outcome for a change of several steps: what the kernel could not do for now may have been the last of them. */
    public <T> Outcome<T> outcomeOfChange() {
        Outcome<T> outcome = outcome();
        return outcome.recoverDeferred(deferred -> Outcome.uncertain(deferred.why()));
    }

    /** The outcome for a call that surely changed nothing when it failed. */
    public <T> Outcome<T> outcome() {
        return switch (errno) {
            case Errno.ENOENT -> Outcome.refused(Refusal.NOT_FOUND, getMessage());
            case Errno.ENOTDIR, Errno.EISDIR, Errno.ELOOP -> Outcome.refused(Refusal.INCOMPATIBLE, getMessage());
            case Errno.EXDEV, Errno.EEXIST, Errno.EBUSY, Errno.ENOTEMPTY ->
                Outcome.refused(Refusal.IN_USE, getMessage());
            case Errno.EPERM, Errno.EACCES, Errno.EROFS -> Outcome.refused(Refusal.DENIED, getMessage());
            case Errno.ENOSPC, Errno.EDQUOT -> Outcome.refused(Refusal.EXHAUSTED, getMessage());
            case Errno.EINVAL, Errno.ENAMETOOLONG -> Outcome.refused(Refusal.INVALID, getMessage());
            case Errno.ENOSYS, Errno.EOPNOTSUPP -> Outcome.refused(Refusal.UNSUPPORTED, getMessage());
            case Errno.EIO,
                    Errno.ENXIO,
                    Errno.ENODEV,
                    Errno.EAGAIN,
                    Errno.EINTR,
                    Errno.ENOMEM,
                    Errno.ENFILE,
                    Errno.EMFILE,
                    Errno.ESTALE,
                    Errno.ENOTCONN,
                    Errno.ETIMEDOUT,
                    Errno.EHOSTDOWN -> Outcome.deferred(getMessage());
            default -> Outcome.uncertain(getMessage());
        };
    }

    /** As {@link #outcome}, but lack of permission proves nothing: it may be granted by the next moment. */
    public <T> Outcome<T> outcomeOfLook() {
        return errno == Errno.EACCES || errno == Errno.EPERM ? Outcome.deferred(getMessage()) : outcome();
    }
}
