// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The objects of the cluster that volumes show. Each read is live; an object that was read for a pod is followed from then on, so that
 * the pod's volumes are written again when it changes. Called by the threads of calls; may wait for the cluster. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ContentObjects {
    /** Refuses everything: for hosts that show no objects. */
    ContentObjects NONE = new ContentObjects() {
        @Override
        public Outcome<Optional<Pod>> pod(PodRef pod) {
            return Outcome.refused(Refusal.UNSUPPORTED, "this node shows no objects of the cluster in volumes");
        }

        @Override
        public Outcome<Optional<ConfigMap>> configMap(PodRef pod, String volume, ObjectKey key) {
            return Outcome.refused(Refusal.UNSUPPORTED, "this node shows no objects of the cluster in volumes");
        }

        @Override
        public Outcome<Optional<Secret>> secret(PodRef pod, String volume, ObjectKey key) {
            return Outcome.refused(Refusal.UNSUPPORTED, "this node shows no objects of the cluster in volumes");
        }

        @Override
        public void release(PodRef pod, String volume) {}
    };

    /**
     * A pod, with this uid.
     *
     * @return empty if it is not there any more; deferred if the cluster could not be asked
     */
    Outcome<Optional<Pod>> pod(PodRef pod);

    /**
     * A ConfigMap.
     *
     * @param pod the pod that shows it
     * @param volume in which of its volumes
     * @return empty if there is none; deferred if the cluster could not be asked
     */
    Outcome<Optional<ConfigMap>> configMap(PodRef pod, String volume, ObjectKey key);

    /** A Secret; as {@link #configMap}. */
    Outcome<Optional<Secret>> secret(PodRef pod, String volume, ObjectKey key);

    /**
     * A node, of which volumes show how much it has for pods. Not followed.
     *
     * @return empty if it is not there; deferred if the cluster could not be asked; UNSUPPORTED where nodes are not read
     */
    default Outcome<Optional<Node>> node(String name) {
        return Outcome.refused(Refusal.UNSUPPORTED, "what node \"" + name + "\" has for pods is not read");
    }

    /** Nothing is followed for a volume of a pod any more. */
    void release(PodRef pod, String volume);
}
