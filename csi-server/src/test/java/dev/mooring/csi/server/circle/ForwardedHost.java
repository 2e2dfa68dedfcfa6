// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The machine of a driver that is the one of the call that is made right now, as far as the kit hands one to it. */
final class ForwardedHost {
    private final AtomicReference<HostServices> now = new AtomicReference<>(HostServices.none());

    void set(HostServices host) {
        now.set(host);
    }

    HostServices asHost() {
        HostFiles files = forward(HostFiles.class, () -> now.get().files());
        return (HostServices) Proxy.newProxyInstance(
                HostServices.class.getClassLoader(),
                new Class<?>[] {HostServices.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("files")) {
                        return files;
                    }
                    return call(() -> method.invoke(now.get(), arguments));
                });
    }

    private static <T> T forward(Class<T> type, Supplier<T> to) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(() -> method.invoke(to.get(), arguments))));
    }

    private interface Call {
        Object run() throws ReflectiveOperationException;
    }

    private static Object call(Call call) throws Throwable {
        try {
            return call.run();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
