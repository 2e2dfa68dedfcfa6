// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** So many pods, each with a claim of its own that outlives it: the kind that {@code shardsets.yaml} defines. */
@Group(ShardSet.GROUP)
@Version("v1")
public class ShardSet extends CustomResource<ShardSet.Spec, ShardSet.Status> implements Namespaced {
    static final String GROUP = "shards.example.com";

    /**
     * What is wanted.
     *
     * @param replicas how many shards
     * @param size of each claim
     * @param storageClass null for the default
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Spec(Integer replicas, String size, String storageClass) {}

    /**
     * What there is.
     *
     * @param ready how many of the shards run, such as {@code 2/3}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Status(String ready) {}

    @Override
    protected Spec initSpec() {
        return null;
    }

    @Override
    protected Status initStatus() {
        return null;
    }
}
