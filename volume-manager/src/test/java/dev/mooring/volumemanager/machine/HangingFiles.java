// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.machine;

import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.OwnershipRule;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/** A machine on which a thread that looks at one path waits in the kernel, as for a server that is dead; it takes no interrupt. */
public final class HangingFiles {
    /** The machine. */
    public final HostServices host;

    private final CountDownLatch answers = new CountDownLatch(1);
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final AtomicInteger looks = new AtomicInteger();

    /** Hangs at what is at a path or below it. */
    public HangingFiles(HostServices real, Path dead) {
        this(real, (method, argument) -> argument instanceof Path path && path.startsWith(dead));
    }

    private HangingFiles(HostServices real, BiPredicate<String, Object> dead) {
        HostFiles files = around(HostFiles.class, real.files(), Optional.empty(), (method, argument) -> {
            if (dead.test(method, argument)) {
                looks.incrementAndGet();
                hangs.countDown();
                awaitUninterruptibly(answers);
            }
        });
        this.host = around(HostServices.class, real, Optional.of(files), (method, argument) -> {});
    }

    /** Hangs when a tree is given to a group, whose root still answered. */
    public static HangingFiles inWalks(HostServices real) {
        return new HangingFiles(real, (method, argument) -> method.equals("own") && argument instanceof OwnershipRule);
    }

    /** The server comes back. */
    public void answer() {
        answers.countDown();
    }

    /** Waits until a look hangs. */
    public void awaitLook() throws InterruptedException {
        hangs.await();
    }

    /** How often it was looked at. */
    public int looks() {
        return looks.get();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> T around(Class<T> type, T real, Optional<HostFiles> files, BiConsumer<String, Object> before) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (files.isPresent() && method.getName().equals("files")) {
                return files.get();
            }
            if (arguments != null) {
                Arrays.stream(arguments).forEach(argument -> before.accept(method.getName(), argument));
            }
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
