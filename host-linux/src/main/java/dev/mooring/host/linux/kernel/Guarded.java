// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.Outcome;
import java.util.function.Function;

/** The border at which a failed system call becomes an outcome. */
public final class Guarded {
    /** Something that makes system calls. */
    @FunctionalInterface
    public interface Body<T> {
        Outcome<T> run() throws KernelException;
    }

    private Guarded() {}

    /** For what only looks: lack of permission proves nothing. */
    public static <T> Outcome<T> look(Body<T> body) {
        return run(body, KernelException::outcomeOfLook);
    }

    /** For what changes something: a refusal by the kernel is final, any other failure may have come after the effect. */
    public static <T> Outcome<T> change(Body<T> body) {
        return run(body, KernelException::outcomeOfChange);
    }

    private static <T> Outcome<T> run(Body<T> body, Function<KernelException, Outcome<T>> onFailure) {
        try {
            return body.run();
        } catch (KernelException e) {
            return onFailure.apply(e);
        }
    }
}
