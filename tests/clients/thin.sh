# Sourced by `run`: our own thin clients. Their generated parts are those of the documents in docs/; they are built as for a
# registry, and a user who has nothing but the built files installs and uses them.

# The packages that the Python client needs, for environments that are made without a network.
user_packages() {
    local list="$here/users/requirements.txt"
    cmp -s "$list" "$work/wheels/installed.txt" && return
    rm -rf "$work/wheels"
    with_timeout 300 "$python" -m pip download --quiet --disable-pip-version-check --only-binary :all: --retries 1 \
        --dest "$work/wheels" -r "$list" >"$work/install-wheels.log" 2>&1 && cp "$list" "$work/wheels/installed.txt"
}

# Whether the licences in a package are those of the repository: FOLDER.
licences() { cmp "$root/LICENSE-MIT" "$1/LICENSE-MIT" && cmp "$root/LICENSE-APACHE" "$1/LICENSE-APACHE"; }

# The committed core is what the generator writes: COMMITTED WRITTEN.
same_core() {
    local differences
    differences=$(diff -rq --exclude=__pycache__ "$1" "$2") && return
    head -n 5 <<<"$differences"
    echo "the generated core is not that of docs/: run clients/python/generate or clients/typescript/generate.mjs, and commit it"
    return 1
}

# The program of a user, in a folder without our sources: PYTHON.
python_user() { cd "$generated/python-user" && with_timeout 300 "$1" -I -B five_minutes.py "$work/ready.json"; }
python_user_types() {
    cd "$generated/python-user" && with_timeout 300 mypy --strict --python-executable "$1" --cache-dir "$work/mypy-user" ./*.py
}

thin_python() {
    local source="$root/clients/python" thin="$generated/thin-python" core="$generated/python-core" user shape
    mkdir -p "$core" && cp -r "$source" "$thin" && find "$thin" -name __pycache__ -prune -exec rm -rf {} +
    user="$generated/python-user/venv"
    check thin-python "generate" "$source/generate" "$core" || return
    for shape in flat enveloped; do
        check thin-python "the $shape core is the generator's" same_core "$source/src/unified_ads/$shape" "$core/$shape" || return
    done
    check thin-python "licences" licences "$source" &&
        check thin-python "types" env MYPYPATH="$thin/src" \
            mypy --strict --follow-imports=silent --cache-dir "$work/mypy" "$thin/src/unified_ads/"*.py "$thin/tests/"*.py &&
        check thin-python "build" "$python" -m build --no-isolation --outdir "$generated/python-dist" "$thin" &&
        check thin-python "metadata" "$python" "$here/users/wheel.py" "$generated/python-dist/"*.whl || return
    if ! user_packages; then
        skip_one "thin-python: as installed" "the packages cannot be installed"
        return
    fi
    mkdir -p "$generated/python-user" && cp "$here/users/five_minutes.py" "$generated/python-user"
    check thin-python "environment" "$python" -m venv --without-pip "$user" &&
        check thin-python "install" "$python" -m pip --python "$user/bin/python" install --quiet --no-index --no-compile \
            --find-links "$work/wheels" "$generated/python-dist/"*.whl &&
        check thin-python "samples" "$python" "$here/users/readme.py" "$source/README.md" "$generated/python-user" &&
        check thin-python "types of a user" python_user_types "$user/bin/python" &&
        check thin-python "first five minutes" python_user "$user/bin/python" &&
        check thin-python "tests" env UNIFIED_ADS_READY="$work/ready.json" \
            "$user/bin/python" -I -B -m unittest discover "$source/tests" &&
        echo "thin-python: built, installed from the wheel, and its tests and the first five minutes are as expected"
}

# What the built package has, by its own list: TGZ.
typescript_files() {
    local listed name
    listed=$(tar tzf "$1") || return
    for name in package.json README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE dist/src/index.js dist/src/index.d.ts \
        dist/src/generated/flat.d.ts; do
        grep -qx "package/$name" <<<"$listed" || { echo "it has no $name"; return 1; }
    done
    ! grep test <<<"$listed"
}

typescript_install() {
    cd "$1" && with_timeout 300 npm install --offline --silent --no-fund --no-audit --ignore-scripts "$2" && [ ! -L node_modules/unified-ads ]
}

thin_typescript() {
    local source="$root/clients/typescript" thin="$generated/thin-typescript" user="$work/typescript-user"
    mkdir -p "$thin"
    cp -r "$source/"{CHANGELOG.md,LICENSE-APACHE,LICENSE-MIT,README.md,generate.mjs,package.json,tsconfig.json,src,test} "$thin"
    ln -sfn "$work/node/node_modules" "$thin/node_modules"
    check thin-typescript "generate" node "$thin/generate.mjs" "$root/docs" "$generated/typescript-core" &&
        check thin-typescript "the core is the generator's" same_core "$source/src/generated" "$generated/typescript-core" &&
        check thin-typescript "licences" licences "$source" &&
        check thin-typescript "compile" "$bin/tsc" --project "$thin/tsconfig.json" &&
        check thin-typescript "build" npm pack --silent --pack-destination "$generated" "$thin" &&
        check thin-typescript "files" typescript_files "$generated/unified-ads-0.1.0.tgz" || return
    # Not below `generated`, whose packages Node would find.
    rm -rf "$user" && cp -r "$here/users" "$user"
    check thin-typescript "install" typescript_install "$user" "$generated/unified-ads-0.1.0.tgz" &&
        check thin-typescript "samples" "$python" "$here/users/readme.py" "$source/README.md" "$user" &&
        check thin-typescript "types of a user" "$bin/tsc" --project "$user/tsconfig.json" --typeRoots "$work/node/node_modules/@types" &&
        check thin-typescript "first five minutes" node "$user/out/five_minutes.js" "$work/ready.json" &&
        check thin-typescript "tests" env UNIFIED_ADS_READY="$work/ready.json" node --test "$thin/dist/test/" &&
        echo "thin-typescript: built, installed from the tgz, and its tests and the first five minutes are as expected"
}
