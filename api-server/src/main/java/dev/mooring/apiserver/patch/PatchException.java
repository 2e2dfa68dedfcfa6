// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.patch;

/** A patch that cannot be understood or applied. */
public final class PatchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Whether the patch itself is fine, but not for this object. */
    private final boolean unfit;

    private PatchException(String message, boolean unfit) {
        super(message);
        this.unfit = unfit;
    }

    static PatchException malformed(String message) {
        return new PatchException(message, false);
    }

    static PatchException unfit(String message) {
        return new PatchException(message, true);
    }

    /** Whether the patch itself is fine, but not for this object. */
    public boolean isUnfit() {
        return unfit;
    }
}
