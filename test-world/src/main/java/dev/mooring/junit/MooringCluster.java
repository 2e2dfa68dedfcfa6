// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a cluster of its own, in this process: an API server, Mooring's controllers, simulated nodes, and storage, simulated or real.
 *
 * <pre>{@code
 * @MooringCluster(nodes = 3, storageClasses = "standard")
 * class MyOperatorTest {
 *     @Test
 *     void claimsAreBound(KubernetesClient client, MooringWorld world) { … }
 * }
 * }</pre>
 *
 * <p>Each test has a namespace of its own, in which its clients work. Parameters may be of these types:
 *
 * <ul>
 *   <li>{@link MooringWorld};
 *   <li>{@code io.fabric8.kubernetes.client.KubernetesClient}, with its defaults;
 *   <li>{@code io.kubernetes.client.openapi.ApiClient} of the official Java client;
 *   <li>{@code io.javaoperatorsdk.operator.Operator}, not started, with the client of the test;
 *   <li>{@code String} or {@code java.nio.file.Path} with {@link Kubeconfig}.
 * </ul>
 *
 * <p>The clients come from the test's class path. What was injected is closed after the test, an operator is stopped, and nodes
 * that the test has stopped start again. Parameters of
 * constructors and of methods {@code @BeforeAll} belong to the class, in the namespace {@code default}.
 *
 * <p>The message of a test that fails ends with what waits in its namespace, and why.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(MooringExtension.class)
public @interface MooringCluster {
    /** How many nodes there are: {@code node-1} and so on; 0 to 200. */
    int nodes() default 1;

    /**
     * Classes; the first one is the default. {@code NAME=PLUGIN} names the plugin that makes the volumes, such as
     * {@code standard=kubernetes.io/host-path}; without it they are simulated. Volumes are made at once, or when a pod uses them if the plugin
     * makes them on a node.
     */
    String[] storageClasses() default "standard";

    /** CSI drivers that the volumes of the tests may name. */
    String[] drivers() default {};

    /**
     * Plugins on the class path whose volumes are real, such as {@code kubernetes.io/host-path}: directories and mounts of this machine. The
     * class fails where that cannot be, with the reason; see {@link MooringWorld#whyNoRealBackEnds}.
     */
    String[] plugins() default {};

    /** A scenario that is played first: a resource beside the test class, or a file; empty for none. */
    String scenario() default "";

    /** Serves by TLS, with a token. Without it the server is plain, and every process of this machine is its administrator. */
    boolean tls() default false;
}
