// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** Names of provisioners with a meaning of their own. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Provisioners {
    /** No provisioner makes volumes of this class. */
    public static final String NONE = "kubernetes.io/no-provisioner";

    private static final String IN_TREE = "kubernetes.io/";

    private Provisioners() {}

    /** Whether a name is one of those that Kubernetes keeps for its own plugins, so that no external provisioner answers to it. */
    public static boolean isInTree(String provisioner) {
        return provisioner.startsWith(IN_TREE);
    }
}
