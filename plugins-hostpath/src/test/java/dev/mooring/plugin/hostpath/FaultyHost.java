// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The real host with something that happens before its actions: each is announced as {@code Interface.method} and either goes on, is
 * answered otherwise, or ends the call as if the agent had crashed.
 */
public final class FaultyHost {
    private static final Set<Class<?>> SERVICES = Set.of(
            HostFiles.class,
            Mounts.class,
            ProcessRunner.class,
            BlockDevices.class,
            FileSystems.class,
            Sysfs.class,
            PinnedPath.class);

    private final HostServices real;
    private final Function<String, Optional<Outcome<?>>> before;

    /**
     * A host.
     *
     * @param before told of each action: empty to go on, or the answer; may throw {@link Crash}
     */
    public FaultyHost(HostServices real, Function<String, Optional<Outcome<?>>> before) {
        this.real = real;
        this.before = before;
    }

    /** One on which the agent crashes before an action, counted from 0. */
    public static FaultyHost crashingBefore(HostServices real, int action) {
        AtomicInteger actions = new AtomicInteger();
        return new FaultyHost(real, call -> {
            if (actions.getAndIncrement() == action) {
                throw new Crash();
            }
            return Optional.empty();
        });
    }

    public HostServices services() {
        return wrap(HostServices.class, real);
    }

    private <T> T wrap(Class<T> type, Object target) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Handler(type, target)));
    }

    private Object wrapAnswer(Class<?> declared, Object answer) {
        if (SERVICES.contains(declared)) {
            return wrap(declared, answer);
        }
        if (answer instanceof Outcome<?> outcome) {
            return outcome.map(value -> value instanceof PinnedPath path
                    ? wrap(PinnedPath.class, path)
                    : value instanceof Made made ? new Made(wrap(PinnedPath.class, made.path()), made.isNew()) : value);
        }
        return answer;
    }

    private static Object unwrap(Object argument) {
        return argument instanceof PinnedPath
                        && Proxy.isProxyClass(argument.getClass())
                        && Proxy.getInvocationHandler(argument) instanceof Handler handler
                ? handler.target
                : argument;
    }

    /** The agent is gone. */
    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final class Handler implements InvocationHandler {
        private final Class<?> type;
        private final Object target;

        Handler(Class<?> type, Object target) {
            this.type = type;
            this.target = target;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (SERVICES.contains(type) && Outcome.class.isAssignableFrom(method.getReturnType())) {
                Optional<Outcome<?>> answer = before.apply(type.getSimpleName() + "." + method.getName());
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
            Object[] real = arguments == null ? new Object[0] : arguments.clone();
            for (int i = 0; i < real.length; i++) {
                real[i] = unwrap(real[i]);
            }
            try {
                return wrapAnswer(method.getReturnType(), method.invoke(target, real));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
