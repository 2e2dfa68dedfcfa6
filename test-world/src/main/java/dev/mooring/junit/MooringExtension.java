// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import dev.mooring.junit.client.ClientLibrary;
import java.lang.reflect.Parameter;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** What {@link MooringCluster} stands for. It keeps nothing of its own, so that classes and tests may run side by side. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MooringExtension
        implements BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                ParameterResolver,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(MooringExtension.class);
    private static final String SCOPE = "scope";
    private static final String COUNT = "count";
    private static final int LONGEST_METHOD = 40;

    /** Makes the extension; JUnit does. */
    public MooringExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Class<?> test = context.getRequiredTestClass();
        MooringCluster wanted = test.getAnnotation(MooringCluster.class);
        if (wanted == null) {
            if (context.getStore(OURS).get(SCOPE) == null) {
                throw new ExtensionConfigurationException(
                        test.getName() + " needs the annotation @" + MooringCluster.class.getSimpleName());
            }
            return; // a nested class: the cluster is that of the class around it
        }
        MooringWorld.Builder described = MooringWorld.builder()
                .nodes(wanted.nodes())
                .storageClasses(wanted.storageClasses())
                .drivers(wanted.drivers())
                .plugins(wanted.plugins())
                .tls(wanted.tls());
        if (!wanted.scenario().isEmpty()) {
            described.scenario(file(test, wanted.scenario()));
        }
        context.getStore(OURS).put(SCOPE, new TestScope(described.start()));
        context.getStore(OURS).put(COUNT, new AtomicInteger());
    }

    private static Path file(Class<?> test, String name) {
        URL resource = test.getResource(name);
        if (resource == null || !resource.getProtocol().equals("file")) {
            return Path.of(name);
        }
        try {
            return Path.of(resource.toURI());
        } catch (URISyntaxException e) {
            throw new ExtensionConfigurationException("the scenario " + name + " has no path: " + resource, e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        TestScope scope = context.getStore(OURS).remove(SCOPE, TestScope.class);
        if (scope != null) {
            try {
                scope.close();
            } finally {
                scope.world().close();
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        MooringWorld world = scope(context).world();
        int number = context.getStore(OURS).get(COUNT, AtomicInteger.class).incrementAndGet();
        String namespace = namespace(context.getRequiredTestMethod().getName(), number);
        context.getStore(OURS).put(SCOPE, new TestScope(world.inNamespace(namespace)));
    }

    /** Such as {@code claims-are-bound-3}. */
    private static String namespace(String method, int number) {
        String words = method.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-");
        String begin =
                words.substring(0, Math.min(words.length(), LONGEST_METHOD)).replaceAll("^-+|-+$", "");
        return (begin.isEmpty() ? "test" : begin) + "-" + number;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        TestScope scope = context.getStore(OURS).remove(SCOPE, TestScope.class);
        if (scope == null) {
            return;
        }
        MooringWorld world = scope.world();
        try {
            scope.close();
        } finally {
            world.leave();
        }
        List<String> defects = world.defects();
        if (!defects.isEmpty()) {
            throw new IllegalStateException("Mooring itself failed; please report it: " + String.join("; ", defects));
        }
    }

    private static TestScope scope(ExtensionContext context) {
        TestScope scope = context.getStore(OURS).get(SCOPE, TestScope.class);
        if (scope == null) {
            throw new ExtensionConfigurationException("there is no cluster for " + context.getDisplayName());
        }
        return scope;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == MooringWorld.class
                || ClientLibrary.of(type).isPresent()
                || (parameter.isAnnotated(Kubeconfig.class) && (type == String.class || type == Path.class));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Parameter wanted = parameter.getParameter();
        TestScope scope = scope(context);
        if (wanted.getType() == MooringWorld.class) {
            return scope.world();
        } else if (wanted.getType() == String.class) {
            return scope.world().kubeconfig();
        } else if (wanted.getType() == Path.class) {
            return scope.kubeconfigFile();
        }
        return ClientLibrary.of(wanted.getType())
                .map(library -> scope.client(library, wanted.getType()))
                .orElseThrow();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw explained(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw explained(context, failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw explained(context, failure);
    }

    /** Whatever hinders the explanation must not hide the failure. */
    private static Throwable explained(ExtensionContext context, Throwable failure) {
        try {
            return ExplainedFailure.of(failure, scope(context).world().explainWaiting());
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }
}
