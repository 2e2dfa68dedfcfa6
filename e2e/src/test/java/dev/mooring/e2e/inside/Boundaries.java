// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The instants after everything that changes something: a record, a tool, a mount, a file, an object that the node or the attach-detach
 * controllers write. The instant before it is the one after the change that came before. They are counted, written to a file, and at
 * one of them the process may be stopped as by {@code kill -9}. Thread-safe.
 */
final class Boundaries {
    /** How a process ends that was stopped. */
    static final int STOPPED = 77;

    /** What changes something, by interface of the host. */
    private static final Map<String, Set<String>> CHANGING = Map.of(
            "Mounts", Set.of("bind", "mount", "unmount"),
            "ProcessRunner", Set.of("run"),
            "HostFiles", Set.of("openOrMake", "empty"),
            "PinnedPath",
                    Set.of(
                            "makeDirectory",
                            "writeFile",
                            "removeFile",
                            "removeDirectory",
                            "rename",
                            "setMode",
                            "setOwner"),
            "BlockDevices", Set.of("flush", "setReadOnly", "rescan", "remove", "attachLoop", "detachLoop"),
            "FileSystems", Set.of("mount", "grow"),
            "Sysfs", Set.of("write"));

    /** Services that are reached through other services. */
    private static final Set<String> LEADING_ON =
            Set.of("processes", "mounts", "files", "blockDevices", "fileSystems", "sysfs");

    private static final Set<String> ATTACHING = Set.of("VolumeAttachment", "Node");

    private static final int EACH = -1;

    private final int stopAt;
    private final Optional<Path> passed;
    private final Runnable stop;
    private int count;

    private Boundaries(int stopAt, Optional<Path> passed, Runnable stop) {
        this.stopAt = stopAt;
        this.passed = passed;
        this.stop = stop;
    }

    /** None: nothing is counted, nothing stopped. */
    static Boundaries none() {
        return new Boundaries(0, Optional.empty(), () -> {});
    }

    /**
     * Counts, and stops the process.
     *
     * @param stopAt at which one, from 1; 0 for never
     * @param passed gets a line for each
     */
    static Boundaries stoppingAt(int stopAt, Path passed) {
        return new Boundaries(
                stopAt, Optional.of(passed), () -> Runtime.getRuntime().halt(STOPPED));
    }

    /**
     * Counts, and does something at one of them.
     *
     * @param stopAt at which one, from 1; 0 for never
     */
    static Boundaries doing(int stopAt, Runnable action) {
        return new Boundaries(stopAt, Optional.empty(), action);
    }

    /** Does something at each of them. */
    static Boundaries each(Runnable action) {
        return new Boundaries(EACH, Optional.empty(), action);
    }

    /** An instant comes. */
    synchronized void pass(String what) {
        count++;
        passed.ifPresent(file -> write(file, count + " " + what + "\n"));
        if (count == stopAt || stopAt == EACH) {
            stop.run();
        }
    }

    private static void write(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same log with its boundaries. */
    RecordLog around(RecordLog log) {
        return new RecordLog() {
            @Override
            public Outcome<Nothing> append(RecordEntry entry) {
                String what = "record " + entry.phase() + " " + entry.key().replaceAll("/.*", "");
                Outcome<Nothing> outcome = log.append(entry);
                pass(what);
                return outcome;
            }

            @Override
            public List<RecordEntry> replay() {
                return log.replay();
            }
        };
    }

    /** A write to the store; the store calls this when it has been committed. */
    void onWrite(WriteRecord write) {
        boolean ofNode = write.client().startsWith("node/");
        boolean ofAttaching = write.client().equals("controllers") && ATTACHING.contains(write.kind());
        if (write.revision().isPresent() && (ofNode || ofAttaching)) {
            pass("write " + write.verb() + " " + write.kind() + " by " + write.client());
        }
    }

    /** The same services with their boundaries. */
    HostServices around(HostServices host) {
        return proxy(HostServices.class, host);
    }

    private <T> T proxy(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Watched(type, real)));
    }

    /** Passes calls on; what comes back and can change something is watched in its turn. */
    private final class Watched implements InvocationHandler {
        private final Class<?> type;
        private final Object real;

        Watched(Class<?> type, Object real) {
            this.type = type;
            this.real = real;
        }

        @Override
        public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
            boolean changes =
                    CHANGING.getOrDefault(type.getSimpleName(), Set.of()).contains(method.getName())
                            && !onlyLooks(arguments);
            String what = type.getSimpleName() + "." + method.getName() + tool(arguments);
            Object answer;
            try {
                answer = method.invoke(real, unwrapped(arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (changes && !foundAsItWas(answer)) {
                pass(what);
            }
            return watched(method, answer);
        }

        private Object watched(Method method, Object answer) {
            if (type == HostServices.class && LEADING_ON.contains(method.getName())) {
                return anyProxy(method.getReturnType(), answer);
            }
            return answer instanceof Outcome<?> outcome ? outcome.map(Boundaries.this::watchedValue) : answer;
        }
    }

    private <T> Object anyProxy(Class<T> type, Object real) {
        return proxy(type, type.cast(real));
    }

    private Object watchedValue(Object value) {
        if (value instanceof PinnedPath path) {
            return proxy(PinnedPath.class, path);
        }
        return value instanceof Made made ? new Made(proxy(PinnedPath.class, made.path()), made.isNew()) : value;
    }

    private static boolean foundAsItWas(Object answer) {
        return answer instanceof Outcome<?> outcome
                && outcome.result().isPresent()
                && outcome.result().get() instanceof Made made
                && !made.isNew();
    }

    private static boolean onlyLooks(Object[] arguments) {
        return arguments != null
                && Arrays.stream(arguments)
                        .anyMatch(each -> each instanceof Command command
                                && command.changes().isEmpty());
    }

    private static String tool(Object[] arguments) {
        return arguments == null
                ? ""
                : Arrays.stream(arguments)
                        .filter(Command.class::isInstance)
                        .map(command -> " " + ((Command) command).tool())
                        .findFirst()
                        .orElse("");
    }

    /** The host knows its own objects only. */
    private static Object[] unwrapped(Object[] arguments) {
        return arguments == null
                ? null
                : Arrays.stream(arguments)
                        .map(each -> each != null
                                        && Proxy.isProxyClass(each.getClass())
                                        && Proxy.getInvocationHandler(each) instanceof Watched watched
                                ? watched.real
                                : each)
                        .toArray();
    }
}
