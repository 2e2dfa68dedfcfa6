// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;

/** Part of an interface: only what the plugin uses. Anything else that is called fails the test. */
final class Partial {
    private Partial() {}

    static <T> T of(Class<T> type, Object implementation) {
        Object proxy =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        Method there = implementation
                                .getClass()
                                .getDeclaredMethod(method.getName(), method.getParameterTypes());
                        there.setAccessible(true);
                        return there.invoke(implementation, arguments);
                    } catch (NoSuchMethodException e) {
                        throw new UnsupportedOperationException(method.toString(), e);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNullElse(e.getCause(), e);
                    }
                });
        return type.cast(proxy);
    }
}
